-- CreateTable
CREATE TABLE "webhook_events" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "audience" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "fanned_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "url_hash" BYTEA NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "secret_sealed" BYTEA NOT NULL,
    "secret_last_four" TEXT NOT NULL,
    "old_secret_sealed" BYTEA,
    "old_secret_until" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "last_ok_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" SERIAL NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" INTEGER,
    "failure" TEXT,
    "duration" INTEGER NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_user_id_url_hash_key" ON "webhook_endpoints"("user_id", "url_hash");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_id_id_idx" ON "webhook_attempts"("delivery_id", "id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever emits an event looks for the administrators.
CREATE INDEX "users_administrators_idx" ON "users"("id") WHERE "role" = 'admin';

-- What is due, by endpoint.
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries"("endpoint_id", "next_at", "id") WHERE "state" = 'waiting';

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_reason_known" CHECK ("disabled_reason" IN ('person', 'gone', 'failing')),
  ADD CONSTRAINT "webhook_endpoints_old_secret_ends" CHECK (("old_secret_sealed" IS NULL) = ("old_secret_until" IS NULL)),
  ADD CONSTRAINT "webhook_endpoints_failures_since" CHECK ("failures" >= 0 AND ("failures" = 0) = ("failing_since" IS NULL));

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_state_known" CHECK ("state" IN ('waiting', 'delivered', 'failed', 'cancelled')),
  ADD CONSTRAINT "webhook_deliveries_delivered" CHECK (("state" = 'delivered') = ("delivered_at" IS NOT NULL)),
  ADD CONSTRAINT "webhook_deliveries_waiting" CHECK (("state" = 'waiting') = ("next_at" IS NOT NULL)),
  ADD CONSTRAINT "webhook_deliveries_claimed" CHECK ("state" = 'waiting' OR "claimed_until" IS NULL);
