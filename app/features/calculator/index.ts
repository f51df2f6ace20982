export { calculatorExample } from './calculator-example.ts';
export { calculatorStatus, readCalculatorPage } from './calculator-page.ts';
export { CalculatorScreen } from './calculator-screen.tsx';
export type { CalculatorValues, SaveState } from './calculator-state.ts';
export { Calculator } from './calculator.tsx';
export { DashboardCalculator } from './dashboard-calculator.tsx';
export type { Example } from './example.tsx';
export { DeleteConfirm } from './history/delete-confirm.tsx';
export { computeLive } from './live-compute.ts';
