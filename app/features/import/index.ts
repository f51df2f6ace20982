export { ImportFormats, ImportList, UploadForm } from './import-page.tsx';
export { ImportStep } from './import-step.tsx';
