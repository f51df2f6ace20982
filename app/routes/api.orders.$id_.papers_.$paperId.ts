import { deleteOrderPaperCall, getOrderPaperCall } from '#app/features/vendors/order-papers-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getOrderPaperCall, DELETE: deleteOrderPaperCall });

export const loader = route.loader;
export const action = route.action;
