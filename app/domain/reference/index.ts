export { dosageHints, type DosageHint, type HintCategory } from './dosage-hints.ts';
export { NO_REFERENCE, RESEARCH_DISCLAIMER, RESEARCH_NOTICE } from './notices.ts';
export { plainName } from './plain-name.ts';
export { dosageRecommendations, type DosageRecommendation } from './recommendations.ts';
export { RESEARCH_TABLE, type ResearchRow } from './research-table.ts';
