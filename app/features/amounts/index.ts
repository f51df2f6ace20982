export { CeilingForm, CeilingList, CeilingPanel, type ShownCeiling } from './ceilings.tsx';
export { DoseOfField } from './dose-of-field.tsx';
