import { addSupplierCall, listSuppliersCall } from '#app/features/vendors/suppliers-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listSuppliersCall, POST: addSupplierCall });

export const loader = route.loader;
export const action = route.action;
