import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getImport, listImports, mapImport, runImport, uploadImport } from "./contract";
import { archiveReaders } from "./export";
import { deleteOldImportsJob, importCustomersJob } from "./jobs";
import { importAdditions } from "./service/additions";
import {
  createImport,
  listOwnImports,
  readImport,
  startImport,
  updateImportColumns,
} from "./service/imports";

export const customerImports = domain({
  operations: {
    upload: createHandler(uploadImport, createImport),
    list: createHandler(listImports, listOwnImports),
    get: createHandler(getImport, readImport),
    map: createHandler(mapImport, updateImportColumns),
    run: createHandler(runImport, startImport),
  },
  jobs: {
    import_customers: job(importCustomersJob),
    forget_customer_imports: job(deleteOldImportsJob, { cron: "31 3 * * *", catchUp: "1d" }),
  },
  additions: { customer_import: importAdditions },
  relations: [
    {
      table: "customer_imports",
      column: "reseller_id",
      topic: "customer_records",
      onDeletion: "delete",
      export: "customer_imports",
    },
  ],
  exports: archiveReaders,
  audit: ["customer.import_begun", "customer.import_ended"],
});
