export { agrees } from './agreement.ts';
export { stockAlertsOf, type StockAlert } from './alerts.ts';
export {
  BEYOND_USE_DAYS,
  beyondUseDay,
  beyondUseDayAfter,
  EXPIRING_DAYS,
  expiryOf,
  isPastDate,
  type Expiry,
} from './beyond-use.ts';
export { correctTo, discardAll, giveBack, spillFrom, takeFrom, type DrawEntry } from './changes.ts';
export { costOfDose } from './cost.ts';
export { changedVial, newVial } from './describe.ts';
export { drawOf } from './draw-of.ts';
export {
  AMBER_DAYS,
  DEFAULT_LEAD_DAYS,
  forecastStock,
  RED_DAYS,
  type ForecastQuestion,
  type StockForecast,
} from './forecast.ts';
export { importedEntries } from './imported.ts';
export { balanceOf, MAX_LEDGER_ENTRIES, settled, sumOfEntries, withEntries } from './ledger.ts';
export { isLow, LOW_SHARE } from './low-stock.ts';
export { vialNameKey } from './name-key.ts';
export { planDraws, type DrawPlan, type DrawRequest, type PlannedDraw } from './plan-draws.ts';
export { PLAN_LIMIT_MESSAGE } from './plan-limit.ts';
export { isFinal, isOpen, statusOf } from './status.ts';
export { strengthOf } from './strength.ts';
export {
  LEDGER_KINDS,
  VIAL_STATUSES,
  type FutureDose,
  type LedgerEntry,
  type LedgerKind,
  type Vial,
  type VialStatus,
  type VialWithLedger,
} from './types.ts';
export { stockWarning, STOCK_WARNINGS, type StockWarning, type StockWarningCode } from './warnings.ts';
export { forecastText, type ForecastText } from './forecast-text.ts';
export {
  doseOfVial,
  vialDetail,
  type DoseOfVial,
  type Fact,
  type LedgerRow,
  type VialDetail,
} from './vial-detail.ts';
export { remainingOf, statusText, strengthText, vialRow, type VialRow } from './vial-row.ts';
export { vialLabel, type VialLabelTexts } from './vial-label.ts';
