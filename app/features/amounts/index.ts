export { CeilingForm, CeilingList, CeilingPanel, type ShownCeiling } from './ceilings.tsx';
