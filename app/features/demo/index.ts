export { DemoBar } from './demo-bar.tsx';
export { DemoForm, DemoPage } from './demo-page.tsx';
