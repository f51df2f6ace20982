export { EXAMPLE_PATH, ImportFormats } from './formats.tsx';
export { ImportList } from './import-list.tsx';
export { ImportStep } from './import-step.tsx';
export type { BadLine, ImportLine, ImportView } from './types.ts';
export { UploadForm } from './upload-form.tsx';
export { countsText } from './words.ts';
