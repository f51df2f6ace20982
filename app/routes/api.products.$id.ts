import { changeProductCall, deleteProductCall } from '#app/features/vendors/suppliers-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PUT: changeProductCall, DELETE: deleteProductCall });

export const loader = route.loader;
export const action = route.action;
