export { deleteCalculation, getCalculation, saveCalculation } from './calculations.server.ts';
export { listCalculations } from './history.server.ts';
