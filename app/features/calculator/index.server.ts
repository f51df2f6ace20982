export {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  listCalculations,
} from './calculations.server.ts';
export { cardFile, cardQr } from './dose-card-file.server.ts';
