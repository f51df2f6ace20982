import { deleteOrderPaperCall, getOrderPaperCall } from '#app/http/api/operations/order-papers.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getOrderPaperCall, DELETE: deleteOrderPaperCall });

export const loader = route.loader;
export const action = route.action;
