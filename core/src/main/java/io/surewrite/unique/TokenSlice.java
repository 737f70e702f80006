package io.surewrite.unique;

import java.util.List;
import java.util.stream.LongStream;

/** A part of the ring of Murmur3 tokens, whatever nodes there are, so that a scan can go on where an earlier one ended. */
record TokenSlice(long after, long upto) {

    /** {@return those behind a token, of a power of two; all are behind {@link Long#MIN_VALUE}, which no row has} */
    static List<TokenSlice> behind(long token, int count) {
        long width = 1L << (Long.SIZE - Integer.numberOfTrailingZeros(count));
        return LongStream.range(0, count)
                .mapToObj(number -> of(Long.MIN_VALUE + number * width, width))
                .filter(slice -> slice.upto() > token)
                .map(slice -> new TokenSlice(Math.max(slice.after(), token), slice.upto()))
                .toList();
    }

    /** The end of the last one would be one too far. */
    private static TokenSlice of(long start, long width) {
        long end = start + width;
        return new TokenSlice(start, end == Long.MIN_VALUE ? Long.MAX_VALUE : end);
    }

    /** {@return how much of the ring lies before a token, from 0 to 1} */
    static double share(long token) {
        return (token / 2.0 - Long.MIN_VALUE / 2.0) / Long.MAX_VALUE;
    }
}
