export {
  findAmountWarnings,
  findCeiling,
  findPlanWarnings,
  listCeilings,
  readAmounts,
  type AmountReader,
  setCeiling,
  usualAmounts,
} from './amounts.server.ts';
