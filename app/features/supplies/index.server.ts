export { addSupply, deleteSupply, getSupply, listSupplies, updateSupply } from './supplies.server.ts';
