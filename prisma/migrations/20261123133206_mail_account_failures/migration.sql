-- CreateTable
CREATE TABLE "mail_account_failures" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_account_failures_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_account_failures_account_id_at_idx" ON "mail_account_failures"("account_id", "at");

-- CreateIndex
CREATE INDEX "mail_account_failures_at_idx" ON "mail_account_failures"("at");

-- AddForeignKey
ALTER TABLE "mail_account_failures" ADD CONSTRAINT "mail_account_failures_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mail_accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
