export { ImportFormats } from './formats.tsx';
export { ImportList } from './import-list.tsx';
export { ImportStep } from './import-step.tsx';
export { countsText } from './import-texts.ts';
export { UploadForm } from './upload-form.tsx';
