export {
  linkLot,
  rememberVial,
  addLot,
  addLotPaper,
  deleteLot,
  deleteLotPaper,
  getLot,
  listLots,
  readLotPaper,
  updateLot,
} from './lots.server.ts';
export { allRecalledDoses, findRecall, recalledDoses, takenFromLot } from './recall.server.ts';
