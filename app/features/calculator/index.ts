export { CalculatorScreen, CommonBlends, ComponentRows } from './calculator-screen.tsx';
export type { BlendChoices, CalculatorValues, SaveState } from './calculator-state.ts';
export { Calculator } from './calculator.tsx';
export { DashboardCalculator } from './dashboard-calculator.tsx';
export type { Example } from './result-panel.tsx';
export { DeleteConfirm } from './history-list.tsx';
export { computeLive } from './live-compute.ts';
