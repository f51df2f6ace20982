export {
  linkLot,
  rememberVial,
  addLot,
  addLotDocument,
  deleteLot,
  deleteLotDocument,
  getLot,
  listLots,
  readLotDocument,
  updateLot,
} from './lots.server.ts';
export { allRecalledDoses, findRecall, recalledDoses, takenFromLot } from './recall.server.ts';
