-- CreateTable
CREATE TABLE "job_workers" (
    "id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app_secrets" (
    "fingerprint" TEXT NOT NULL,
    "keys_sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_secrets_pkey" PRIMARY KEY ("fingerprint")
);

-- One current secret, also when two processes start at once on an empty database.
CREATE UNIQUE INDEX "app_secrets_current" ON "app_secrets" (("keys_sealed" IS NULL)) WHERE "keys_sealed" IS NULL;
