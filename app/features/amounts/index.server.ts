export {
  findAmountWarnings,
  findCeiling,
  findPlanWarnings,
  listCeilings,
  readAmounts,
  type AmountReader,
  type PlanRequest,
  setCeiling,
  usualAmounts,
} from './amounts.server.ts';
