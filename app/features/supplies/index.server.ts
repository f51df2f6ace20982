export {
  addSupply,
  deleteSupply,
  findSupply,
  getSupply,
  listSupplies,
  updateSupply,
} from './supplies.server.ts';
