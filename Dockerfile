# postrider as an image: built in one stage, run in another that holds the program, the libraries
# that it loads, the certificates of the world and its time zones. docs/install.md shows how to run it.
FROM debian:12-slim AS build
WORKDIR /source
COPY scripts/setup scripts/setup
COPY web/package.json web/package-lock.json web/
RUN scripts/setup
COPY . .
RUN scripts/build release && strip --strip-debug -o /postrider build/release/postrider

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates tzdata poppler-utils libarchive13 libboost-json1.81.0 libboost-url1.81.0 libcurl4 libdate-tz3 libedit2 libfmt9 libhiredis0.14 libmd4c0 \
      libpq5 libpqxx-6.4 libprometheus-cpp-core1.0 libre2-9 libspdlog1.10 libssl3 libutf8proc2 libxml2 \
 && rm -rf /var/lib/apt/lists/*
# What MCP servers need, say "nodejs npm".
ARG PACKAGES=""
RUN [ -z "$PACKAGES" ] || { apt-get update && apt-get install -y --no-install-recommends $PACKAGES && rm -rf /var/lib/apt/lists/*; }
RUN groupadd --gid 10001 postrider \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin postrider \
 && install -d -o postrider -g postrider -m 0700 /data
COPY --from=build /postrider /usr/local/bin/postrider
# A postrider.toml that is mounted here is read.
WORKDIR /etc/postrider
USER 10001:10001
ENV POSTRIDER_LISTEN=0.0.0.0:8080 POSTRIDER_DATA=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["postrider", "health"]
ENTRYPOINT ["postrider"]
CMD ["serve"]
