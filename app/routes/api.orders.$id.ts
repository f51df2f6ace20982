import { deleteOrderCall, getOrderCall } from '#app/features/vendors/orders-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getOrderCall, DELETE: deleteOrderCall });

export const loader = route.loader;
export const action = route.action;
