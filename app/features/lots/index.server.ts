export {
  linkLot,
  rememberVial,
  addLot,
  addLotDocument as addLotPaper,
  deleteLot,
  deleteLotDocument as deleteLotPaper,
  getLot,
  listLots,
  readLotDocument as readLotPaper,
  updateLot,
} from './lots.server.ts';
export { allRecalledDoses, findRecall, recalledDoses, takenFromLot } from './recall.server.ts';
