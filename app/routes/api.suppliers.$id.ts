import {
  changeSupplierCall,
  deleteSupplierCall,
  getSupplierCall,
} from '#app/features/vendors/suppliers-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getSupplierCall, PUT: changeSupplierCall, DELETE: deleteSupplierCall });

export const loader = route.loader;
export const action = route.action;
