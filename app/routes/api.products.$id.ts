import { changeProductCall, deleteProductCall } from '#app/http/api/operations/suppliers.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ PUT: changeProductCall, DELETE: deleteProductCall });

export const loader = route.loader;
export const action = route.action;
