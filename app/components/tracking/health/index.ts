export { MeasurementForm } from './measurement-form.tsx';
export { MeasurementList } from './measurement-list.tsx';
export { OwnMeasures } from './own-measures.tsx';
export { PasteForm, type PasteCheck } from './paste-form.tsx';
export { QuickEntry } from './quick-entry.tsx';
export { TrendSection } from './trend-section.tsx';
