export { importCatalogue } from './catalogue-import.server.ts';
export { addOrderPaper, deleteOrderPaper, readOrderPaper } from './order-papers.server.ts';
export { receiveOrder } from './order-receipt.server.ts';
export { addOrder, deleteOrder, getOrder, listOrders, stepOrder, updateOrder } from './orders.server.ts';
export {
  addProduct,
  deleteProduct,
  getProduct,
  listProducts,
  listProductsOf,
  priceComparison,
  updateProduct,
} from './products.server.ts';
export { suggestReorders } from './reorder.server.ts';
export {
  addSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from './suppliers.server.ts';
