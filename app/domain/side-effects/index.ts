export { effectEnd, NO_END, type EffectEnd, type EndSetting } from './end.ts';
export {
  hoursText,
  median,
  onsetHours,
  ONSET_WINDOW_HOURS,
  summariseByName,
  summariseEffects,
  type CountedEffect,
  type EffectStatistics,
  type NamedStatistics,
} from './statistics.ts';
export { MAX_OWN_TEMPLATES, SEVERITY_WORDS, severityText, SIDE_EFFECT_TEMPLATES } from './templates.ts';
