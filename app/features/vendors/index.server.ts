export { importCatalogue } from './catalogue-import.server.ts';
export {
  addOrderDocument,
  deleteOrderDocument,
  readOrderDocument,
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
  addSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from './suppliers.server.ts';
