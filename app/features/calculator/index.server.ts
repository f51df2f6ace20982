export {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  listCalculations,
} from './calculations.server.ts';
