import { addOrderPaperCall } from '#app/http/api/operations/order-papers.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ POST: addOrderPaperCall });

export const loader = route.loader;
export const action = route.action;
