export { DemoDialog } from './demo-dialog.tsx';
export { Landing } from './landing.tsx';
