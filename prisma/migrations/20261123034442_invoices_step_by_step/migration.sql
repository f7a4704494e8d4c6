-- What finds an invoice again at the accounting service, whoever writes the row.
CREATE FUNCTION invoice_marker() RETURNS text LANGUAGE sql VOLATILE AS
  $$ SELECT 'TLL-' || upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)) $$;

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "DocumentState" ADD VALUE 'contact';
ALTER TYPE "DocumentState" ADD VALUE 'invoice';
ALTER TYPE "DocumentState" ADD VALUE 'payment';
ALTER TYPE "DocumentState" ADD VALUE 'edocument';
ALTER TYPE "DocumentState" ADD VALUE 'polling';
ALTER TYPE "DocumentState" ADD VALUE 'pdf';
ALTER TYPE "DocumentState" ADD VALUE 'done';
ALTER TYPE "DocumentState" ADD VALUE 'needs_data';
ALTER TYPE "DocumentState" ADD VALUE 'failed';
ALTER TYPE "DocumentState" ADD VALUE 'cancelling';

-- AlterTable
ALTER TABLE "accounting_documents" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "cancellable_until" TIMESTAMPTZ(3),
ADD COLUMN     "contact_remote_id" TEXT,
ADD COLUMN     "document_number" TEXT,
ADD COLUMN     "document_remote_id" TEXT,
ADD COLUMN     "document_uuid" TEXT,
ADD COLUMN     "done_at" TIMESTAMPTZ(3),
ADD COLUMN     "invoice_remote_id" TEXT,
ADD COLUMN     "issue_date" DATE,
ADD COLUMN     "job_at" TIMESTAMPTZ(3),
ADD COLUMN     "job_remote_id" TEXT,
ADD COLUMN     "kind" TEXT,
ADD COLUMN     "locked_until" TIMESTAMPTZ(3),
ADD COLUMN     "marker" TEXT NOT NULL DEFAULT invoice_marker(),
ADD COLUMN     "missing" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "next_at" TIMESTAMPTZ(3),
ADD COLUMN     "payment_remote_id" TEXT,
ADD COLUMN     "pdf_key" TEXT,
ADD COLUMN     "problem" TEXT,
ADD COLUMN     "problem_text" TEXT,
ADD COLUMN     "step" "DocumentState";

-- CreateTable
CREATE TABLE "accounting_calls" (
    "id" SERIAL NOT NULL,
    "document_id" INTEGER NOT NULL,
    "step" "DocumentState" NOT NULL,
    "call" TEXT NOT NULL,
    "status" INTEGER,
    "outcome" TEXT NOT NULL,
    "detail" TEXT,
    "ms" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounting_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounting_access" (
    "id" INTEGER NOT NULL,
    "access_sealed" BYTEA,
    "refresh_sealed" BYTEA,
    "expires_at" TIMESTAMPTZ(3),
    "refreshing_until" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "paused_reason" TEXT,
    "tested_at" TIMESTAMPTZ(3),

    CONSTRAINT "accounting_access_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "accounting_calls_document_id_id_idx" ON "accounting_calls"("document_id", "id");

-- CreateIndex
CREATE INDEX "accounting_calls_at_idx" ON "accounting_calls"("at");

-- CreateIndex
CREATE UNIQUE INDEX "accounting_documents_marker_key" ON "accounting_documents"("marker");

-- CreateIndex
CREATE INDEX "accounting_documents_state_next_at_idx" ON "accounting_documents"("state", "next_at");

-- AddForeignKey
ALTER TABLE "accounting_calls" ADD CONSTRAINT "accounting_calls_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "accounting_documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
