export { importCatalogue } from './catalogue-import.server.ts';
export { addOrderPaper, deleteOrderPaper, readOrderPaper } from './order-papers.server.ts';
export {
  receiveOrder,
  addOrder,
  deleteOrder,
  getOrder,
  listOrders,
  stepOrder,
  updateOrder,
  suggestReorders,
} from './orders.server.ts';
export {
  addProduct,
  deleteProduct,
  getProduct,
  listProducts,
  listProductsOf,
  priceComparison,
  updateProduct,
} from './products.server.ts';
export {
  addSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from './suppliers.server.ts';
