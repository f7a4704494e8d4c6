-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "is_trial" BOOLEAN NOT NULL DEFAULT false;

-- One trial per account, also for concurrent requests.
CREATE UNIQUE INDEX "subscriptions_trial_key" ON "subscriptions"("user_id") WHERE "is_trial";
