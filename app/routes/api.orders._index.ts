import { addOrderCall, listOrdersCall } from '#app/http/api/operations/orders.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listOrdersCall, POST: addOrderCall });

export const loader = route.loader;
export const action = route.action;
