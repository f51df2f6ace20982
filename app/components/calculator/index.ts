export { Calculator, type CalculatorProps } from './calculator.tsx';
export { type CalculatorValues, type SaveState } from './calculator-state.ts';
export { CalculatorLinks } from './calculator-links.tsx';
export { RecommendationsPanel, type ReferenceChoice } from './recommendations-panel.tsx';
export { ResearchDosagesDialog } from './research-dosages-dialog.tsx';
export type { Example } from './example.tsx';
