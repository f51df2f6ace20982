export {
  MAX_SUPPLIES,
  checkStock,
  stockAlerts,
  stockForecast,
  stockLevels,
  stockReport,
  supplyForecasts,
} from './stock-forecast.server.ts';
export {
  applyStockDraws,
  drawEntryId,
  planStockDraws,
  returnStockDraws,
  insertVials,
} from './vial-writes.server.ts';
export {
  discardVial,
  reconstituteVial,
  addVial,
  deleteVial,
  getVial,
  getVialRoom,
  updateVial,
  listVials,
} from './vials.server.ts';
export { getVialCard, getVialCardFile } from './vial-card.server.ts';
