export { DemoBar } from './demo.tsx';
export { DemoForm } from './demo.tsx';
export { DemoPage } from './demo.tsx';
