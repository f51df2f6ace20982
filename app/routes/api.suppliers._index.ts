import { addSupplierCall, listSuppliersCall } from '#app/http/api/operations/suppliers.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listSuppliersCall, POST: addSupplierCall });

export const loader = route.loader;
export const action = route.action;
