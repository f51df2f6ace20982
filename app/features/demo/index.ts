export { DemoBar } from './demo-bar.tsx';
export { DemoForm } from './demo-form.tsx';
export { DemoPage } from './demo-page.tsx';
