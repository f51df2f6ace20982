export { massInMg } from './mass.ts';
export { readQuantity, type Quantity } from './quantity.ts';
