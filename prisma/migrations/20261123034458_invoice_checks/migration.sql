-- What the models cannot say. A migration of its own: it uses the states that the one before has added.
ALTER TABLE "accounting_documents"
  ADD CONSTRAINT "accounting_documents_contact_check" CHECK ("state" NOT IN ('invoice', 'payment', 'edocument', 'polling', 'pdf', 'done') OR "contact_remote_id" IS NOT NULL),
  ADD CONSTRAINT "accounting_documents_invoice_check" CHECK ("state" NOT IN ('payment', 'edocument', 'polling', 'pdf', 'done') OR ("invoice_remote_id" IS NOT NULL AND "issue_date" IS NOT NULL)),
  ADD CONSTRAINT "accounting_documents_kind_check" CHECK ("state" NOT IN ('polling', 'pdf', 'done') OR "kind" IN ('e_archive', 'e_invoice')),
  ADD CONSTRAINT "accounting_documents_document_check" CHECK ("state" NOT IN ('pdf', 'done') OR "document_remote_id" IS NOT NULL),
  ADD CONSTRAINT "accounting_documents_done_check" CHECK ("state" <> 'done' OR num_nonnulls("document_number", "pdf_key", "done_at") = 3),
  ADD CONSTRAINT "accounting_documents_step_check" CHECK (("state" IN ('needs_data', 'failed')) = ("step" IS NOT NULL));
ALTER TABLE "accounting_access" ADD CONSTRAINT "accounting_access_one_check" CHECK ("id" = 1);
INSERT INTO "accounting_access" ("id") VALUES (1);
