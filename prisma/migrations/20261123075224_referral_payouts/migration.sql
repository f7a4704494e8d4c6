-- AlterTable
ALTER TABLE "referral_earnings" ADD COLUMN     "currency" TEXT NOT NULL DEFAULT 'TRY',
ADD COLUMN     "deducted_id" INTEGER,
ADD COLUMN     "payout_id" INTEGER;

-- CreateTable
CREATE TABLE "referral_payouts" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'TRY',
    "until" DATE NOT NULL,
    "paid_at" DATE NOT NULL,
    "reference" TEXT,
    "note" TEXT,
    "recorded_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "referral_payouts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "referral_payouts_reseller_id_id_idx" ON "referral_payouts"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "referral_payouts_recorded_by_id_idx" ON "referral_payouts"("recorded_by_id");

-- CreateIndex
CREATE INDEX "referral_earnings_payout_id_idx" ON "referral_earnings"("payout_id");

-- CreateIndex
CREATE INDEX "referral_earnings_deducted_id_idx" ON "referral_earnings"("deducted_id");

-- AddForeignKey
ALTER TABLE "referral_earnings" ADD CONSTRAINT "referral_earnings_payout_id_fkey" FOREIGN KEY ("payout_id") REFERENCES "referral_payouts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral_earnings" ADD CONSTRAINT "referral_earnings_deducted_id_fkey" FOREIGN KEY ("deducted_id") REFERENCES "referral_payouts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral_payouts" ADD CONSTRAINT "referral_payouts_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral_payouts" ADD CONSTRAINT "referral_payouts_recorded_by_id_fkey" FOREIGN KEY ("recorded_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "referral_payouts"
  ADD CONSTRAINT "referral_payouts_amount_check" CHECK ("amount_minor" > 0);
-- Only what was paid out and taken back afterwards makes a later pay-out smaller.
ALTER TABLE "referral_earnings"
  ADD CONSTRAINT "referral_earnings_deducted_check"
    CHECK ("deducted_id" IS NULL OR ("state" = 'void' AND "payout_id" IS NOT NULL));

-- The sums that are open, whoever is asked for.
CREATE INDEX "referral_earnings_open_idx" ON "referral_earnings"("reseller_id")
  WHERE ("payout_id" IS NULL AND "state" = 'earned') OR ("payout_id" IS NOT NULL AND "state" = 'void' AND "deducted_id" IS NULL);
