import {
  changeSupplierCall,
  deleteSupplierCall,
  getSupplierCall,
} from '#app/http/api/operations/suppliers.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getSupplierCall, PUT: changeSupplierCall, DELETE: deleteSupplierCall });

export const loader = route.loader;
export const action = route.action;
