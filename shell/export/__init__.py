"""Exports of a page: pictures, points, offline pages, captions, lecture packs."""
